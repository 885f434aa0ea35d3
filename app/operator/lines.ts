import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Deps } from '../deps.ts'

/** What goes out as lines of JSON: an object a line, or some at a time. */
export type Lines = AsyncIterable<object | object[]>

/**
 * Answers in lines, as they come. Once the first has left there is no other status: what fails then ends the answer with
 * `{ why }`, in the words of `whyOf` or as a failure of ours, which is in the log.
 */
export function sendLines(
  reply: FastifyReply,
  { log }: Pick<Deps, 'log'>,
  lines: Lines,
  whyOf: (error: unknown) => string | null = () => null,
): FastifyReply {
  async function* text(): AsyncGenerator<string> {
    try {
      for await (const some of lines) yield [some].flat().map(asLine).join('')
    } catch (error) {
      const why = whyOf(error)
      // Who has gone needs no answer, and is no failure.
      if (why === null && reply.raw.destroyed) return
      if (why === null) log.error({ err: error }, 'a command of the operator failed')
      yield asLine({ why: why ?? 'That did not work. The product’s log says more.' })
    }
  }
  return reply.type('application/x-ndjson').send(Readable.from(text()))
}

const asLine = (line: object): string => `${JSON.stringify(line)}\n`
