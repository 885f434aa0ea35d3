import { findChromium } from '#quality/support/chromium.ts'

export default async function setup(): Promise<void> {
  process.env['CHROMIUM_PATH'] = await findChromium()
}
