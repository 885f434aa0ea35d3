import { pollUntil } from './poll-until.ts'
import type { World } from './world.ts'

/** Returns the tokens in the confirmation links sent to an address, newest first. Waits until there are at least `count` of them. */
export const waitForVerifyTokens = (world: Pick<World, 'mailTo'>, email: string, count = 1): Promise<string[]> =>
  pollUntil(async () => {
    const links = (await world.mailTo(email)).flatMap((mail) => mail.links)
    const tokens = links
      .map((link) => /\/verify\/\?token=([\w-]+)/.exec(link)?.[1])
      .filter((token) => token !== undefined)
    return tokens.length >= count && tokens
  })
