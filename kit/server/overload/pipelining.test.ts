import { EventEmitter } from 'node:events'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { limitPipelining } from './pipelining.ts'

test('a pipelined request stops counting once its response closes, even if the request no longer has a socket', () => {
  const answer = vi.fn<RequestListener>()
  const listener = limitPipelining(answer)
  const socket = new Socket()
  for (let count = 0; count < 3; count++) {
    const request = { socket } as { socket: Socket | null }
    const response = new EventEmitter()
    listener(request as IncomingMessage, response as ServerResponse)
    request.socket = null
    response.emit('close')
  }
  expect(answer).toHaveBeenCalledTimes(3)
  expect(socket.destroyed).toBe(false)
})
