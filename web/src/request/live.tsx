// What runs now.
import type { RequestQuery } from "../pages/requests";

export function Live({ query }: { query: RequestQuery }) {
  return <p>{JSON.stringify(query)}</p>;
}
