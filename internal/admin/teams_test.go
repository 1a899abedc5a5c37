package admin_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/auth"
)

func TestTeams(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	var team admin.Team
	wantOK(t, s.do("POST", "/admin/v1/teams", `{"name":"research","models":["fast","embed-*"]}`), &team)
	if made := start.UTC(); team.Status != auth.Active || team.Source != admin.FromStore || !team.CreatedAt.Equal(made) || len(team.Models) != 2 {
		t.Errorf("%+v", team)
	}
	var key admin.Key
	s.create(`{"name":"app","team":"research"}`)
	wantOK(t, s.do("GET", "/admin/v1/keys/app", ""), &key)
	if key.TeamID == nil || *key.TeamID != team.ID || key.Team == nil || *key.Team != "research" {
		t.Errorf("%+v", key)
	}
	wantOK(t, s.do("PATCH", "/admin/v1/teams/"+team.ID, `{"name":"labs","models":null}`), &team)
	wantOK(t, s.do("GET", "/admin/v1/keys/app", ""), &key)
	if team.Name != "labs" || team.Models != nil || *key.Team != "labs" {
		t.Errorf("%+v %+v", team, key)
	}
	wantOK(t, s.do("DELETE", "/admin/v1/teams/labs", ""), &team)
	wantOK(t, s.do("GET", "/admin/v1/keys/app", ""), &key)
	if team.Status != auth.Revoked || team.RevokedAt == nil || key.Status != auth.TeamRevoked || key.RevokedAt != nil {
		t.Errorf("%+v %+v", team, key)
	}
	wantError(t, s.do("GET", "/admin/v1/models?key=app", ""), 409, "conflict", "key", "is team revoked")
	wantOK(t, s.do("PATCH", "/admin/v1/keys/app", `{"team":null}`), &key)
	if key.TeamID != nil || key.Team != nil || key.Status != auth.Active {
		t.Errorf("%+v", key)
	}
}

func TestTeamPages(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	for i := range 4 {
		wantOK(t, s.do("POST", "/admin/v1/teams", fmt.Sprintf(`{"name":"t%d"}`, i)), new(admin.Team))
		s.now = s.now.Add(time.Second)
	}
	var names []string
	for path := "/admin/v1/teams?limit=2"; path != ""; {
		var page struct {
			Data []admin.Team `json:"data"`
			Next *string      `json:"next"`
		}
		wantOK(t, s.do("GET", path, ""), &page)
		path = ""
		for _, team := range page.Data {
			names = append(names, team.Name)
		}
		if page.Next != nil {
			path = "/admin/v1/teams?limit=2&cursor=" + *page.Next
		}
	}
	if diff := cmp.Diff([]string{"filed", "t0", "t1", "t2", "t3"}, names); diff != "" {
		t.Error(diff)
	}
}
