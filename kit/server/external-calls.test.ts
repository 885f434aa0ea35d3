import { expect, test } from 'vitest'
import { createExternalCallEmitter, type ExternalCall } from './external-calls.ts'

const call: ExternalCall = {
  service: 'card_gateway',
  operation: 'capture',
  outcome: 'received',
  isFailure: false,
  ms: 12,
  why: null,
}

test('a listener that throws affects neither the call to an external service nor other listeners, and its error is reported', () => {
  const faults: unknown[] = []
  const heard: ExternalCall[] = []
  const calls = createExternalCallEmitter((error) => faults.push(error))
  const fault = new Error('no such label')
  calls.listen(() => {
    throw fault
  })
  calls.listen((each) => heard.push(each))
  expect(() => calls.hear(call)).not.toThrow()
  expect(heard).toEqual([call])
  expect(faults).toEqual([fault])
})
