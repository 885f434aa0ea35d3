type Device = { browser: string | null; system: string | null }

export function getDeviceName({ browser, system }: Device): string | null {
  return browser && system ? `${browser} on ${system}` : (browser ?? system)
}

export const isHandheld = ({ system }: Device): boolean =>
  system === 'iPhone' || system === 'iPad' || system === 'Android'
