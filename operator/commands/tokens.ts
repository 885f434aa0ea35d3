import type { TokenView } from '#app/operator/tokens.routes.ts'
import { requestAndPrint, type Command } from '../command.ts'

export const tokenCommands: Command[] = [
  {
    usage: 'tokens make NAME',
    checkCommand: 'tokens list',
    options: { scope: { type: 'string' }, expires: { type: 'string' } },
    summary:
      'make a token that lets a person use this tool from another host, to read or to act, until a day; ends their earlier token',
    // The command prints nothing but the token, so that it can be piped or redirected to a file. The token cannot be shown again.
    run: (context, { names: [name = ''], options: { scope, expires } }) =>
      requestAndPrint(
        context,
        ['POST', '/tokens', { json: { name: decodeURIComponent(name), scope, expires } }],
        ({ token }: { token: string }) => [token],
      ),
  },
  {
    usage: 'tokens list',
    summary: 'list tokens, with their last day and when they were used',
    run: (context) =>
      requestAndPrint(context, ['GET', '/tokens'], (tokens: TokenView[]) =>
        tokens.length === 0 ? ['No tokens.'] : tokens.map(formatToken),
      ),
  },
  {
    usage: 'tokens revoke NAME',
    checkCommand: 'tokens list',
    summary: 'end a person’s token at once',
    run: (context, { names: [name = ''] }) =>
      requestAndPrint(context, ['POST', `/tokens/${name}/revoke`], () => ['Revoked. The token no longer works.']),
  },
]

const formatToken = ({ name, scope, until, used, revoked, by }: TokenView): string =>
  `${name}  ${scope}  ${revoked ? `revoked ${revoked}` : `until ${until}`}  ${used ? `used ${used}` : 'never used'}  made by ${by}`
