import type { TokenView } from '#app/operator/tokens.routes.ts'
import { call } from '../call.ts'
import { type Command, type CommandDesk, refuse, show } from '../command.ts'

export const tokenCommands: Command[] = [
  {
    usage: 'tokens make NAME',
    look: 'tokens list',
    options: { scope: { type: 'string' }, expires: { type: 'string' } },
    says: 'let a person use this from another host: to read, or to act, until a day; ends their earlier token',
    run: (desk, { names: [name = ''], options: { scope, expires } }) =>
      make(desk, { name: decodeURIComponent(name), scope, expires }),
  },
  { usage: 'tokens list', says: 'who has one, until when, and when it was used', run: list },
  {
    usage: 'tokens revoke NAME',
    look: 'tokens list',
    says: 'end a person’s token at once',
    run: (desk, { names: [name = ''] }) => revoke(desk, name),
  },
]

async function make(desk: CommandDesk, wanted: Record<string, unknown>): Promise<number> {
  const answer = await call(desk.caller, 'POST', '/tokens', { json: wanted })
  if (answer.status !== 200) return refuse(desk, answer)
  // The token alone, for a file or a pipe: it is not to be had again.
  return show(desk, answer.body, [(answer.body as { token: string }).token])
}

async function list(desk: CommandDesk): Promise<number> {
  const answer = await call(desk.caller, 'GET', '/tokens')
  if (answer.status !== 200) return refuse(desk, answer)
  const tokens = answer.body as TokenView[]
  return show(desk, tokens, tokens.length === 0 ? ['Nobody has a token.'] : tokens.map(lineOf))
}

const lineOf = ({ name, scope, until, used, revoked, by }: TokenView): string =>
  `${name}  ${scope}  ${revoked ? `revoked ${revoked}` : `until ${until}`}  ${used ? `used ${used}` : 'never used'}  made by ${by}`

async function revoke(desk: CommandDesk, name: string): Promise<number> {
  const answer = await call(desk.caller, 'POST', `/tokens/${name}/revoke`)
  return answer.status === 200 ? show(desk, answer.body, ['It lets nobody in any more.']) : refuse(desk, answer)
}
