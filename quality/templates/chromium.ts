import { findChromium } from '#quality/support/chromium.ts'

/** Before browser tests: finds Chromium once, and installs it where it is absent and that is possible. */
export default async function setup(): Promise<void> {
  process.env['CHROMIUM_PATH'] = await findChromium()
}
