// The offset is set in the browser only. A server that renders never calls noteServerTime.
let offset = 0

export function noteServerTime(iso: string): void {
  const time = Date.parse(iso)
  if (!Number.isNaN(time)) offset = time - Date.now()
}

/**
 * Returns the current time by the server's clock, as accurate as the newest response. The gateway refuses a card encrypted with another
 * time.
 */
export function serverNow(): Date {
  return new Date(Date.now() + offset)
}
