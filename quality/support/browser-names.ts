import type { Customer } from './customer.ts'
import type { Visitor } from './visitor.ts'
import type { World } from './world.ts'

export const userAgents = {
  chromeOnWindows:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  firefoxOnWindows: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
  safariOnIphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 ' +
    '(KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  samsungOnAndroid:
    'Mozilla/5.0 (Linux; Android 15; SAMSUNG SM-S931B) AppleWebKit/537.36 ' +
    '(KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
} as const

export async function logInWithUserAgent(
  world: Pick<World, 'visitor'>,
  { email, password }: Pick<Customer, 'email' | 'password'>,
  userAgent: string,
): Promise<Visitor> {
  const visitor = world.visitor()
  const { status, body } = await visitor.post(
    '/api/account/login/',
    { username: email, password },
    { 'user-agent': userAgent },
  )
  if (status !== 200) throw new Error(`login answered ${status}: ${JSON.stringify(body)}`)
  return visitor
}
