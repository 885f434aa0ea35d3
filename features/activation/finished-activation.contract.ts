import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'

/**
 * This endpoint is only called while a page is being rendered on the server. The public API does not expose its path.
 */
export const readFinishedActivation = endpoint({
  method: 'GET',
  path: '/pages/finished-activation/',
  summary: 'Shows whether this visitor has just activated a SIM, so that links offer to activate another SIM',
  output: v.object({ finished: v.boolean() }),
})
