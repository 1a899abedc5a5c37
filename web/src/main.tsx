// The console: who is signed in, and the page that the URL names.
import { render } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import "./style.css";
import { call, ended, type ApiError } from "./api";
import { asError } from "./data";
import { Login } from "./login";
import { pageAt } from "./pages";
import { apply, chosen } from "./scheme";
import { current, Knowing, type Known } from "./session";
import { Shell } from "./shell";
import { followLinks } from "./state";
import { hush } from "./ui/said";
import { Failed } from "./ui/states";

type Gate = { is: "asking" } | { is: "out" } | { is: "in"; known: Known } | { is: "failed"; error: ApiError };

function Console() {
  const [gate, setGate] = useState<Gate>({ is: "asking" });
  const enter = useCallback(() => {
    know().then(
      (known) => setGate({ is: "in", known }),
      (reason: unknown) => {
        const error = asError(reason);
        setGate(error.status === 401 ? { is: "out" } : { is: "failed", error });
      },
    );
  }, []);
  const leave = useCallback(() => {
    hush();
    setGate({ is: "out" });
  }, []);
  useEffect(() => {
    ended.addEventListener("ended", leave);
    enter();
    return () => ended.removeEventListener("ended", leave);
  }, []);
  switch (gate.is) {
    case "asking":
      return null;
    case "out":
      return <Login />;
    case "failed":
      return <main class="login"><Failed error={gate.error} retry={enter} /></main>;
    case "in":
      return (
        <Knowing.Provider value={gate.known}>
          <Shell onLeave={leave} />
        </Knowing.Provider>
      );
  }
}

/** What all pages need: who is signed in, and parts of the config. Both are asked for at once, for nothing is painted before. */
async function know(): Promise<Known> {
  const [session, config] = await Promise.all([current(), call("GET /admin/v1/config")]);
  return { session, zone: config.timezone, models: config.models, providers: config.providers, url: callers(config.url) };
}

/** The address for callers. If it is one that only Weir's machine can reach, and this page came from elsewhere, it is taken for that machine's. */
function callers(url: string): string {
  const found = new URL(url);
  const near = (host: string) => host === "localhost" || host === "[::1]" || host.startsWith("127.");
  if (near(found.hostname) && !near(location.hostname)) found.hostname = location.hostname;
  return found.origin;
}

apply(chosen());
followLinks((path) => pageAt(path) !== null);
render(<Console />, document.body);
