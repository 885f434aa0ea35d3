import { pollUntil } from './poll-until.ts'
import type { Answer, Visitor } from './visitor.ts'
import type { World } from './world.ts'

type ResetLink = { url: string; uid: string; token: string }

export const requestReset = (
  world: Pick<World, 'visitor'>,
  email: unknown,
  visitor = world.visitor(),
): Promise<Answer> => visitor.post('/api/account/password_reset_request/', { email })

/** Returns the password reset links sent to an address, newest first. */
export async function readResetLinks(world: Pick<World, 'mailTo'>, email: string): Promise<ResetLink[]> {
  const urls = (await world.mailTo(email)).flatMap(({ links }) =>
    links.filter((link) => link.includes('/password-reset/')),
  )
  return urls.map((url) => {
    const [, , uid = '', token = ''] = new URL(url).pathname.split('/')
    return { url, uid, token }
  })
}

export async function requestResetLink(world: Pick<World, 'visitor' | 'mailTo'>, email: string): Promise<ResetLink> {
  const previousTokens = (await readResetLinks(world, email)).map(({ token }) => token)
  const { status } = await requestReset(world, email)
  if (status !== 200) throw new Error(`the request answered ${status}`)
  return pollUntil(async () =>
    (await readResetLinks(world, email)).find(({ token }) => !previousTokens.includes(token)),
  )
}

export const submitReset = (
  link: Pick<ResetLink, 'uid' | 'token'>,
  visitor: Visitor,
  password: unknown,
  { confirm: password_confirm = password, pin = '' }: { confirm?: unknown; pin?: string } = {},
): Promise<Answer> =>
  visitor.post(`/api/forgot_password_reset/${link.uid}/${link.token}/`, {
    password,
    password_confirm,
    ...(pin && { pin }),
  })
