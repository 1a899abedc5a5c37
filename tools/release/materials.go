package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"
)

// bill is a bill of materials, as https://spdx.github.io/spdx-spec/v2.3 has it.
type bill struct {
	Version       string         `json:"spdxVersion"`
	DataLicence   string         `json:"dataLicense"`
	ID            string         `json:"SPDXID"`
	Name          string         `json:"name"`
	Namespace     string         `json:"documentNamespace"`
	Creation      creation       `json:"creationInfo"`
	Packages      []material     `json:"packages"`
	Files         []product      `json:"files"`
	Relationships []relationship `json:"relationships"`
}

type creation struct {
	Created  string   `json:"created"`
	Creators []string `json:"creators"`
}

type material struct {
	ID        string     `json:"SPDXID"`
	Name      string     `json:"name"`
	Version   string     `json:"versionInfo"`
	Location  string     `json:"downloadLocation"`
	Analyzed  bool       `json:"filesAnalyzed"`
	Concluded string     `json:"licenseConcluded"`
	Declared  string     `json:"licenseDeclared"`
	Copyright string     `json:"copyrightText"`
	External  []external `json:"externalRefs,omitempty"`
}

type external struct {
	Category string `json:"referenceCategory"`
	Type     string `json:"referenceType"`
	Locator  string `json:"referenceLocator"`
}

// product is a file of the release.
type product struct {
	ID        string     `json:"SPDXID"`
	Name      string     `json:"fileName"`
	Checksums []checksum `json:"checksums"`
	Concluded string     `json:"licenseConcluded"`
	Copyright string     `json:"copyrightText"`
}

type checksum struct {
	Algorithm string `json:"algorithm"`
	Value     string `json:"checksumValue"`
}

type relationship struct {
	From string `json:"spdxElementId"`
	Type string `json:"relationshipType"`
	To   string `json:"relatedSpdxElement"`
}

const unknown = "NOASSERTION"

// materials writes the bill: Weir, what it consists of, and the files made of them.
func (r *release) materials() error {
	b := bill{
		Version: "SPDX-2.3", DataLicence: "CC0-1.0", ID: "SPDXRef-DOCUMENT", Name: "weir-" + r.number(),
		Namespace: "https://github.com/weirproxy/weir/releases/" + r.version + "/" + r.commit,
		Creation:  creation{r.time.Format(time.RFC3339), []string{"Organization: Weir", "Tool: weir-tools-release"}},
	}
	licence, err := os.ReadFile(r.root + "/LICENSE")
	if err != nil {
		return err
	}
	weir := part{name: "github.com/weirproxy/weir", version: r.version, home: "pkg:golang/github.com/weirproxy/weir@" + r.version, licence: licenceOf(licence)}
	for _, p := range append([]part{weir}, r.parts...) {
		b.Packages = append(b.Packages, materialOf(p))
		if len(b.Packages) > 1 {
			b.relate(b.Packages[0].ID, "CONTAINS", b.Packages[len(b.Packages)-1].ID)
		}
	}
	b.relate(b.ID, "DESCRIBES", b.Packages[0].ID)
	files, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	for _, f := range files {
		text, err := os.ReadFile(r.out + "/" + f.Name())
		if err != nil {
			return err
		}
		digest := sha256.Sum256(text)
		made := product{identify("File", f.Name()), "./" + f.Name(), []checksum{{"SHA256", hex.EncodeToString(digest[:])}}, unknown, unknown}
		b.Files = append(b.Files, made)
		b.relate(made.ID, "GENERATED_FROM", b.Packages[0].ID)
	}
	text, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	return r.write(fmt.Sprintf("weir_%s.spdx.json", r.number()), append(text, '\n'))
}

func (b *bill) relate(from, how, to string) {
	b.Relationships = append(b.Relationships, relationship{from, how, to})
}

func materialOf(p part) material {
	return material{
		ID: identify("Package", p.name), Name: p.name, Version: p.version, Location: unknown, Concluded: unknown, Declared: p.licence, Copyright: unknown,
		External: []external{{"PACKAGE-MANAGER", "purl", p.home}},
	}
}

// odd is what may not be in an id.
var odd = regexp.MustCompile(`[^A-Za-z0-9.-]+`)

func identify(kind, name string) string {
	return "SPDXRef-" + kind + "-" + strings.Trim(odd.ReplaceAllString(name, "-"), "-")
}
