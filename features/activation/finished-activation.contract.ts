import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'

/** Only called while a page is rendered on the server. The public API does not expose this path. */
export const readFinishedActivation = endpoint({
  method: 'GET',
  path: '/pages/finished-activation/',
  summary: 'Shows whether this visitor has just activated a SIM, so that links offer to activate another one',
  output: v.object({ finished: v.boolean() }),
})
