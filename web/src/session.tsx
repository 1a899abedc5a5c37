// Who is signed in, and what the config says that all pages need.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { send } from "./api";

/** A session, as GET /admin/v1/session describes it. */
export interface Session {
  via: string;
  expires: string;
  permissions: string[];
}

/** What every page knows. */
export interface Known {
  session: Session;
  zone: string;
  models: string[];
  providers: string[];
}

const path = "/admin/v1/session";

export const Knowing = createContext<Known | null>(null);

/** What every page knows; there is no page without it. */
export function useKnown(): Known {
  const known = useContext(Knowing);
  if (!known) throw new Error("no session");
  return known;
}

/** Whether the session may do something. The server decides; this only saves a button that would be refused. */
export function useMay(permission: string): boolean {
  return useKnown().session.permissions.includes(permission);
}

export async function current(): Promise<Session> {
  return (await send("GET", path)) as Session;
}

export async function signIn(token: string): Promise<Session> {
  return (await send("POST", path, { token })) as Session;
}

export async function signOut(): Promise<void> {
  await send("DELETE", path);
}
