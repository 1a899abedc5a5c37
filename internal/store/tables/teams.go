package tables

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/weirproxy/weir/internal/auth"
)

const (
	sqlTeamsSince = `SELECT id, name, models, limits, spending, created_at, revoked_at, version FROM teams WHERE version > $1`

	sqlGetTeam = `SELECT id, name, models, limits, spending, created_at, revoked_at, version FROM teams WHERE id = $1`

	sqlTeamNameTaken = `SELECT count(*) FROM teams WHERE name = $1 AND id <> $2 AND revoked_at IS NULL`

	sqlInsertTeam = `INSERT INTO teams (name, models, limits, spending, created_at, revoked_at, version, id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`

	sqlUpdateTeam = `UPDATE teams SET name = $1, models = $2, limits = $3, spending = $4, created_at = $5, revoked_at = $6, version = $7 WHERE id = $8`
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
	err := db.change(ctx, func(ctx context.Context, tx *sql.Tx, version auth.Version) (refusal, failure error) {
		return putTeam(ctx, tx, sqlInsertTeam, version, &team)
	})
	if err != nil {
		return auth.Team{}, err
	}
	return team, nil
}

// UpdateTeam implements auth.Store.
func (db *DB) UpdateTeam(ctx context.Context, id string, change func(*auth.Team) error) (auth.Team, error) {
	var team auth.Team
	err := db.change(ctx, func(ctx context.Context, tx *sql.Tx, version auth.Version) (refusal, failure error) {
		team = auth.Team{}
		if err := eachTeam(ctx, tx, func(found auth.Team) { team = found }, sqlGetTeam, id); err != nil {
			return nil, err
		}
		if team.ID == "" {
			return auth.ErrNotFound, nil
		}
		if err := change(&team); err != nil {
			return err, nil
		}
		return putTeam(ctx, tx, sqlUpdateTeam, version, &team)
	})
	if err != nil {
		return auth.Team{}, err
	}
	return team, nil
}

// putTeam runs statement, one of the two above that write a team, as putKey does for a key.
func putTeam(ctx context.Context, tx *sql.Tx, statement string, version auth.Version, team *auth.Team) (refusal, failure error) {
	if team.RevokedAt.IsZero() {
		var taken int
		if err := tx.QueryRowContext(ctx, sqlTeamNameTaken, team.Name, team.ID).Scan(&taken); err != nil {
			return nil, err
		}
		if taken > 0 {
			return auth.ErrNameTaken, nil
		}
	}
	team.Version = version
	models, err := json.Marshal(append([]string{}, team.Models...)) // an empty list is [], not null
	if err != nil {
		return nil, err
	}
	spending, err := spendingColumn(team.Spending)
	if err != nil {
		return nil, err
	}
	_, err = tx.ExecContext(ctx, statement,
		team.Name, string(models), limitsColumn(team.Limits), spending, micros(team.CreatedAt), micros(team.RevokedAt), int64(version), team.ID)
	return nil, err
}
