package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/weirproxy/weir/internal/auth"
)

const (
	sqlTeamsSince = `SELECT id, name, models, limits, spending, created_at, revoked_at, version FROM teams WHERE version > ?`

	sqlGetTeam = `SELECT id, name, models, limits, spending, created_at, revoked_at, version FROM teams WHERE id = ?`

	sqlTeamNameTaken = `SELECT count(*) FROM teams WHERE name = ? AND id <> ? AND revoked_at IS NULL`

	sqlInsertTeam = `INSERT INTO teams (name, models, limits, spending, created_at, revoked_at, version, id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`

	sqlUpdateTeam = `UPDATE teams SET name = ?, models = ?, limits = ?, spending = ?, created_at = ?, revoked_at = ?, version = ? WHERE id = ?`
)

// eachTeam calls each with the teams that a query returns.
func eachTeam(ctx context.Context, tx *sql.Tx, each func(auth.Team), query string, argument any) error {
	rows, err := tx.QueryContext(ctx, query, argument)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var team auth.Team
		var models, limits, spending []byte
		var created, revoked sql.NullInt64
		if err := rows.Scan(&team.ID, &team.Name, &models, &limits, &spending, &created, &revoked, &team.Version); err != nil {
			return err
		}
		if err := json.Unmarshal(models, &team.Models); err != nil {
			return fmt.Errorf("the model patterns of team %s are damaged: %w", team.ID, err)
		}
		if team.Limits, err = limitsOf(limits); err != nil {
			return fmt.Errorf("the limits of team %s are damaged: %w", team.ID, err)
		}
		if team.Spending, err = spendingOf(spending); err != nil {
			return fmt.Errorf("the budgets of team %s are damaged: %w", team.ID, err)
		}
		team.CreatedAt, team.RevokedAt = fromMicros(created), fromMicros(revoked)
		each(team)
	}
	return rows.Err()
}

// InsertTeam implements auth.Store.
func (db *DB) InsertTeam(ctx context.Context, team auth.Team) (auth.Team, error) {
	err := db.write(ctx, func(tx *sql.Tx) error { return putTeam(ctx, tx, sqlInsertTeam, &team) })
	switch {
	case err == nil:
		return team, nil
	case errors.Is(err, auth.ErrNameTaken):
		return auth.Team{}, err
	default:
		return auth.Team{}, db.explain("write", err)
	}
}

// UpdateTeam implements auth.Store.
func (db *DB) UpdateTeam(ctx context.Context, id string, change func(*auth.Team) error) (auth.Team, error) {
	var team auth.Team
	refused := false // by change or by the law, which is no failure of the store
	err := db.write(ctx, func(tx *sql.Tx) error {
		if err := eachTeam(ctx, tx, func(found auth.Team) { team = found }, sqlGetTeam, id); err != nil {
			return err
		}
		if team.ID == "" {
			refused = true
			return auth.ErrNotFound
		}
		if err := change(&team); err != nil {
			refused = true
			return err
		}
		return putTeam(ctx, tx, sqlUpdateTeam, &team)
	})
	switch {
	case err == nil:
		return team, nil
	case refused, errors.Is(err, auth.ErrNameTaken):
		return auth.Team{}, err
	default:
		return auth.Team{}, db.explain("write", err)
	}
}

// putTeam runs statement, one of the two above that write a team, as putKey does for a key.
func putTeam(ctx context.Context, tx *sql.Tx, statement string, team *auth.Team) error {
	if team.RevokedAt.IsZero() {
		var taken int
		if err := tx.QueryRowContext(ctx, sqlTeamNameTaken, team.Name, team.ID).Scan(&taken); err != nil {
			return err
		}
		if taken > 0 {
			return auth.ErrNameTaken
		}
	}
	if err := tx.QueryRowContext(ctx, sqlRaiseKeysVersion).Scan(&team.Version); err != nil {
		return err
	}
	models, err := json.Marshal(append([]string{}, team.Models...)) // an empty list is [], not null
	if err != nil {
		return err
	}
	spending, err := spendingColumn(team.Spending)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, statement, team.Name, string(models), limitsColumn(team.Limits), spending, micros(team.CreatedAt), micros(team.RevokedAt), team.Version, team.ID)
	return err
}
