import { connect, type Socket } from 'node:net'
import { newVisitor } from '#quality/support/visitor.ts'
import type { FaultWorld, Injector } from '../injector.ts'
import { interruptiblePause } from '../interruptible-pause.ts'
import { runUntilStopped } from './run-until-stopped.ts'

const name = 'pipelining'
const connectionCount = 60
const requestsPerConnection = 100
/** Maximum time, in milliseconds, that an ordinary visitor may wait for a response while others send many requests at once. */
const maxWaitMs = 12_000

export const pipelining: Injector = {
  name,
  needs: [],
  settlesWithin: 120,
  lasts: 20,
  start(world) {
    world.log(`${name}: ${connectionCount} connections with ${requestsPerConnection} requests each`)
    const pipeliningSockets = Array.from({ length: connectionCount }, (_, nth) => openPipeline(world, nth))
    const pipeliningRun = runUntilStopped(world, async (stopping) => {
      await requireResponse(world)
      await interruptiblePause(1, stopping)
    })
    return {
      async stop() {
        for (const stranger of pipeliningSockets) stranger.destroy()
        await pipeliningRun.stop()
        world.log(`${name}: ends`)
      },
    }
  },
}

function openPipeline({ url }: FaultWorld, nth: number): Socket {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname).on('error', () => socket.destroy())
  const one = `GET /api/products/ HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: 100.127.0.${nth}\r\n\r\n`
  socket.pause()
  socket.write(one.repeat(requestsPerConnection))
  return socket
}

async function requireResponse(world: FaultWorld): Promise<void> {
  const visitor = newVisitor(world.url, '/api/account/', { 'x-forwarded-for': '100.126.0.1' }, { timeoutMs: 60_000 })
  const began = performance.now()
  // Ignore a failed request, because another fault may have stopped or killed the process.
  const answer = await visitor.get('/api/products/').catch(() => null)
  const ms = performance.now() - began
  if (answer && ms > maxWaitMs && !world.activeFaults().includes('freeze'))
    world.complain(`another visitor waited ${(ms / 1_000).toFixed(1)} s while requests were pipelined`)
}
