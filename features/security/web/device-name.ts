type Device = { browser: string | null; system: string | null }

/** `'Chrome on Windows'`, as much of it as is known; null when nothing is. */
export function deviceName({ browser, system }: Device): string | null {
  return browser && system ? `${browser} on ${system}` : (browser ?? system)
}

/** Whether it is one for the hand. */
export const isHandheld = ({ system }: Device): boolean =>
  system === 'iPhone' || system === 'iPad' || system === 'Android'
