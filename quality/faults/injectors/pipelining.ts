import { connect, type Socket } from 'node:net'
import { newVisitor } from '#quality/support/visitor.ts'
import type { FaultWorld, Injector } from '../injector.ts'
import { rest } from '../rest.ts'
import { untilStopped } from './until-stopped.ts'

const name = 'pipelining'
const connections = 60
const requestsEach = 100
/** Milliseconds. Another visitor, who sends one request at a time, must not wait longer for an answer. */
const longestWaitMs = 12_000

export const pipelining: Injector = {
  name,
  needs: [],
  settlesWithin: 120,
  lasts: 20,
  start(world) {
    world.log(`${name}: ${connections} connections with ${requestsEach} requests each`)
    const strangers = Array.from({ length: connections }, (_, nth) => pipeline(world, nth))
    const watching = untilStopped(world, async (stopping) => {
      await expectAnswer(world)
      await rest(1, stopping)
    })
    return {
      async stop() {
        for (const stranger of strangers) stranger.destroy()
        await watching.stop()
        world.log(`${name}: ends`)
      },
    }
  },
}

function pipeline({ url }: FaultWorld, nth: number): Socket {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname).on('error', () => socket.destroy())
  const one = `GET /api/products/ HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: 100.127.0.${nth}\r\n\r\n`
  socket.pause()
  socket.write(one.repeat(requestsEach))
  return socket
}

async function expectAnswer(world: FaultWorld): Promise<void> {
  const visitor = newVisitor(world.url, '/api/account/', { 'x-forwarded-for': '100.126.0.1' }, { timeoutMs: 60_000 })
  const began = performance.now()
  // A process that another fault has stopped or killed answers nothing.
  const answer = await visitor.get('/api/products/').catch(() => null)
  const ms = performance.now() - began
  if (answer && ms > longestWaitMs && !world.activeFaults().includes('freeze'))
    world.complain(`another visitor waited ${(ms / 1_000).toFixed(1)} s while requests were pipelined`)
}
