// Set in the browser only; a server that renders never calls noteServerTime.
let offset = 0

/** Takes note of the server's clock, an ISO 8601 instant that has just arrived. */
export function noteServerTime(iso: string): void {
  const time = Date.parse(iso)
  if (!Number.isNaN(time)) offset = time - Date.now()
}

/** Now by the server's clock, as closely as the newest answer tells: the gateway refuses a card sealed at another time. */
export function serverNow(): Date {
  return new Date(Date.now() + offset)
}
