import { HttpError } from '#kit/server/http-error.ts'
import type { RawRequest } from '#kit/server/route.ts'
import type { PlantedWeakness } from '../planted-weakness.ts'
import { mark } from '../malicious-texts.ts'
import { first, attackLoginPage, readCallParameters, listBodyStrings, type Weakness } from '../weakness.ts'

const forms = ['NFC', 'NFD', 'NFKC', 'NFKD']

const createEchoWeakness = (echo: (raw: RawRequest) => object): PlantedWeakness => ({
  answer: ({ raw, real }) =>
    real().catch((error: unknown) => {
      throw error instanceof HttpError && error.status === 400 ? new HttpError(400, echo(raw)) : error
    }),
})

export const textWeaknesses: Weakness[] = [
  {
    name: 'an error message repeats the input',
    foundBy: 'field: nasty text',
    attack: { call: 'POST /api/account/verify_email/about/', kinds: ['inFields'] },
    plant: () =>
      createEchoWeakness((raw) => ({ token: [`${String(readCallParameters(raw).body['token'])} is no token`] })),
  },
  {
    name: 'a page repeats its URL as HTML',
    foundBy: 'page',
    attack: attackLoginPage,
    plant: () => ({
      leaving: (request, _reply, page) =>
        request.method === 'GET' && page.startsWith('<!')
          ? page.replace('</body>', `${decodeURIComponent(request.url.replaceAll(/%(?![\dA-F]{2})/gi, ''))}</body>`)
          : page,
    }),
  },
  {
    name: 'a regular expression backtracks on long input',
    foundBy: 'field: long text',
    attack: { call: 'POST /api/account/verify_email/about/', kinds: ['inFields'], long: true },
    plant: () => first(({ raw }) => listBodyStrings(raw).some((text) => /\s+$/.test(text))),
  },
  {
    name: 'text is normalised before its length is checked',
    foundBy: 'field: long text',
    attack: { call: 'POST /api/account/verify_email/about/', kinds: ['inFields'], long: true },
    // Normalising to each Unicode form twice, in the schema and in the use case, exceeds the attack's time limit on any machine.
    plant: () =>
      first(({ raw }) => listBodyStrings(raw).flatMap((text) => [...forms, ...forms].map((to) => text.normalize(to)))),
  },
  {
    name: 'null values are not handled',
    foundBy: 'field: wrong type',
    attack: { call: 'POST /api/account/verify_email/about/', kinds: ['inFields'], long: true },
    plant: () =>
      first(({ raw }) => Object.values(readCallParameters(raw).body).map((value) => (value as object).constructor)),
  },
  {
    name: 'input is used as the key of an object',
    foundBy: 'field: nasty text',
    attack: { call: 'POST /api/account/verify_email/about/', kinds: ['inFields'], long: true },
    plant: () =>
      first(({ raw }) => {
        const seen: Record<string, { times?: number }> = {}
        for (const text of listBodyStrings(raw)) (seen[text] ??= {}).times = 1
      }),
  },
  {
    name: 'a response header contains a query parameter',
    foundBy: 'page',
    attack: attackLoginPage,
    plant: () => ({
      leaving(request, reply, page) {
        const asked = (request.query as Record<string, string>)[mark]
        if (asked) reply.header('x-asked', asked)
        return page
      },
    }),
  },
  {
    name: 'a redirect leads to any address in the query',
    foundBy: 'page',
    attack: attackLoginPage,
    plant: () => ({
      leaving(request, reply, page) {
        const next = (request.query as Record<string, string>)['next']
        if (next) reply.code(302)
        if (next) reply.header('location', next)
        return page
      },
    }),
  },
]
