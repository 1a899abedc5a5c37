// What stands around every page: navigation, search, the colour scheme, and who is signed in.
import { useEffect, useState } from "preact/hooks";
import { asError } from "./data";
import { pageAt, pages } from "./pages";
import { apply, choose, chosen, schemes, type Scheme } from "./scheme";
import { Search } from "./search";
import { signOut, useKnown } from "./session";
import { link, usePlace } from "./state";
import { minute } from "./time";
import { Segments } from "./ui/forms";
import { say } from "./ui/said";

/** The sign of Weir. */
export function Mark() {
  return (
    <svg viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">
      <rect width="16" height="16" rx="3" fill="var(--accent)" />
      <path d="M3 5l2.500 6L8 5.500l2.500 5.500L13 5" fill="none" stroke="var(--panel)" stroke-width="1.6" stroke-linejoin="round" stroke-linecap="round" />
    </svg>
  );
}

export function Shell({ onLeave }: { onLeave: () => void }) {
  const { path } = usePlace();
  const [menu, setMenu] = useState(false);
  useEffect(() => setMenu(false), [path]);
  const at = pageAt(path);
  const leave = () => void signOut().then(onLeave, (reason: unknown) => say(`You are still signed in. ${asError(reason).message}`, true));
  return (
    <>
      <a class="skip" href="#page">To the page</a>
      <div class="shell">
        <header class="bar">
          <a class="brand" href={link("/")}><Mark />Weir</a>
          <button class="rest" aria-expanded={menu} onClick={() => setMenu(!menu)}>Menu</button>
        </header>
        <Side shown={menu} path={at?.row.path ?? ""} />
        <div class="content">
          <Banner onLeave={leave} />
          <main id="page" tabIndex={-1}>{shown(at)}</main>
        </div>
      </div>
    </>
  );
}

function shown(at: ReturnType<typeof pageAt>) {
  if (!at) return <Nowhere />;
  return at.row.one && at.name !== null ? <at.row.one key={at.name} name={at.name} /> : <at.row.page />;
}

/** Says that the session is that of the admin token, which is not a person's. */
function Banner({ onLeave }: { onLeave: () => void }) {
  const { session, zone } = useKnown();
  if (session.expires === null) return null;
  return (
    <div class="banner" role="region" aria-label="Session">
      <span>Signed in with the admin token, until {minute(new Date(session.expires), zone)}.</span>
      <button class="quiet" onClick={onLeave}>Sign out</button>
    </div>
  );
}

interface SideProps {
  shown: boolean;
  path: string; // of the row that is shown
}

function Side({ shown, path }: SideProps) {
  const groups = [...new Set(pages.map((row) => row.group))];
  return (
    <aside class={shown ? "side shown" : "side"} aria-label="Console">
      <a class="brand" href={link("/")}><Mark />Weir</a>
      <Search />
      <nav aria-label="Pages">
        {groups.map((group) => (
          <div key={group}>
            {group !== "" && <p>{group}</p>}
            {pages.filter((row) => row.group === group).map((row) => (
              <a key={row.path} href={link(row.path)} aria-current={row.path === path ? "page" : undefined}>{row.title}</a>
            ))}
          </div>
        ))}
      </nav>
      <div class="foot">
        <a href="/docs/">Manual</a>
        <SchemeSwitch />
      </div>
    </aside>
  );
}

function SchemeSwitch() {
  const [scheme, setScheme] = useState<Scheme>(chosen);
  const change = (value: string) => {
    const next = schemes.find((one) => one === value) ?? "system";
    choose(next);
    setScheme(next);
  };
  useEffect(() => apply(scheme), []);
  return <Segments label="Colour scheme" value={scheme} options={[{ value: "light", label: "Light" }, { value: "dark", label: "Dark" }, { value: "system", label: "System" }]} onChange={change} />;
}

function Nowhere() {
  return (
    <>
      <h1>There is no such page</h1>
      <p><a href={link("/")}>Overview</a></p>
    </>
  );
}
