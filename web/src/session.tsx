// Who is signed in, and what the config says that all pages need.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { call, needs, type Route, type Session } from "./api";

/** What every page knows. */
export interface Known {
  session: Session;
  zone: string;
  models: string[];
  providers: string[];
  url: string; // where callers are served
}

export const Knowing = createContext<Known | null>(null);

/** What every page knows; there is no page without it. */
export function useKnown(): Known {
  const known = useContext(Knowing);
  if (!known) throw new Error("no session");
  return known;
}

/** Whether the session may call a route. The server decides; this only saves a button that would be refused. */
export function useMay(route: Route): boolean {
  return useKnown().session.permissions.includes(needs[route]);
}

export function current(): Promise<Session> {
  return call("GET /admin/v1/session");
}

export function signIn(token: string): Promise<Session> {
  return call("POST /admin/v1/session", { body: { token } });
}

export async function signOut(): Promise<void> {
  await call("DELETE /admin/v1/session");
}
