import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'

/** Asked only while a page is rendered on the server; no path of the public API leads here. */
export const readFinishedActivation = endpoint({
  method: 'GET',
  path: '/pages/finished-activation/',
  summary: 'Whether this visitor has just activated a SIM, so that links offer to activate another one',
  output: v.object({ finished: v.boolean() }),
})
