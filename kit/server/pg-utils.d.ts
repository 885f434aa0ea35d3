/** What the driver of PostgreSQL makes of values before it sends them; it comes without types. */
declare module 'pg/lib/utils.js' {
  const utils: {
    /** @throws when the value cannot be written down */
    prepareValue(value: unknown): string | Buffer | null
  }
  export default utils
}
