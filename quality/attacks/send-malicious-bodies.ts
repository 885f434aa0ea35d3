/**
 * This program runs in a separate process and sends malicious bodies to the portal at `argv[2]`, four at a time. The last line of its
 * output contains the counts as JSON.
 */
import { apiRoutes } from '#app/api.ts'
import type { Deps } from '#app/deps.ts'
import { newVisitor } from '#quality/support/visitor.ts'
import { fieldsOf } from './attack-context.ts'
import { headersOf, endConnections, send } from './send.ts'
import { createLongTexts, shortTexts, wrongTypeValues } from './malicious-texts.ts'

const [, , url = '', wanted = '1000'] = process.argv
const many = Number(wanted)
const concurrency = 4

const calls = apiRoutes({} as Deps)
  .map(({ endpoint }) => endpoint)
  .filter(({ method, body }) => method !== 'GET' && body)
const values = [...createLongTexts(15_000), ...createLongTexts(500), ...shortTexts, ...wrongTypeValues].map(
  ([, value]) => value,
)
const visitor = newVisitor(url)
await visitor.get('/api/account/')

let sent = 0
let failed = 0
async function attack(): Promise<void> {
  for (let at = sent++; at < many; at = sent++) {
    const endpoint = calls[at % calls.length]
    const fields = fieldsOf(endpoint?.body)
    const field = fields[at % (fields.length || 1)] ?? 'a'
    const body = JSON.stringify({ [field]: values[(at * 7) % values.length] })
    const { status } = await send(url, {
      method: endpoint?.method ?? 'POST',
      path: (endpoint?.path ?? '/').replaceAll(/:\w+/g, 'FT0000000000'),
      headers: { ...headersOf(visitor), 'content-type': 'application/json' },
      body,
    })
    if (status >= 500) failed += 1
  }
}

await Promise.all(Array.from({ length: concurrency }, attack))
endConnections()
console.log(JSON.stringify({ sent: many, failed }))
