import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Deps } from '../deps.ts'

export type JsonLines = AsyncIterable<object | object[]>

/**
 * Streams a response as lines of JSON. Once the first line is sent, the status can no longer change.
 * A later error therefore ends the response with `{ why }`: the text of `whyOf`, or a general message for a fault of ours, which is logged.
 */
export function sendLines(
  reply: FastifyReply,
  { log }: Pick<Deps, 'log'>,
  lines: JsonLines,
  messageOf: (error: unknown) => string | null = () => null,
): FastifyReply {
  async function* encodeLines(): AsyncGenerator<string> {
    try {
      for await (const chunk of lines) yield [chunk].flat().map(toJsonLine).join('')
    } catch (error) {
      const why = messageOf(error)
      if (why === null && reply.raw.destroyed) return
      if (why === null) log.error({ err: error }, 'a command of the operator failed')
      yield toJsonLine({ why: why ?? 'The command failed. See the product’s log.' })
    }
  }
  return reply.type('application/x-ndjson').send(Readable.from(encodeLines()))
}

const toJsonLine = (line: object): string => `${JSON.stringify(line)}\n`
