import type { ExportPart } from '#features/customers/server/customers.deps.ts'

export async function* writeJson(exported: string, parts: ExportPart[]): AsyncGenerator<string> {
  yield `{\n"exported": ${JSON.stringify(exported)}`
  for (const part of parts) {
    yield `,\n${JSON.stringify(part.name)}: `
    if ('one' in part) yield JSON.stringify(await part.one(), null, 1)
    else {
      let separator = '['
      for await (const rows of part.pages())
        for (const row of rows) {
          yield `${separator}\n${JSON.stringify(row)}`
          separator = ','
        }
      yield separator === '[' ? '[]' : '\n]'
    }
  }
  yield '\n}\n'
}
