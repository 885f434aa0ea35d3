import type { TokenView } from '#app/operator/tokens.routes.ts'
import { callAndShow, type Command } from '../command.ts'

export const tokenCommands: Command[] = [
  {
    usage: 'tokens make NAME',
    look: 'tokens list',
    options: { scope: { type: 'string' }, expires: { type: 'string' } },
    says: 'make a token that lets a person use this tool from another host, to read or to act, until a day; ends their earlier token',
    // Prints only the token, for a file or a pipe. The token cannot be shown again.
    run: (desk, { names: [name = ''], options: { scope, expires } }) =>
      callAndShow(
        desk,
        ['POST', '/tokens', { json: { name: decodeURIComponent(name), scope, expires } }],
        ({ token }: { token: string }) => [token],
      ),
  },
  {
    usage: 'tokens list',
    says: 'list tokens, with their last day and when they were used',
    run: (desk) =>
      callAndShow(desk, ['GET', '/tokens'], (tokens: TokenView[]) =>
        tokens.length === 0 ? ['No tokens.'] : tokens.map(lineOf),
      ),
  },
  {
    usage: 'tokens revoke NAME',
    look: 'tokens list',
    says: 'end a person’s token at once',
    run: (desk, { names: [name = ''] }) =>
      callAndShow(desk, ['POST', `/tokens/${name}/revoke`], () => ['Revoked. The token no longer works.']),
  },
]

const lineOf = ({ name, scope, until, used, revoked, by }: TokenView): string =>
  `${name}  ${scope}  ${revoked ? `revoked ${revoked}` : `until ${until}`}  ${used ? `used ${used}` : 'never used'}  made by ${by}`
