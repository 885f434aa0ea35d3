import { createCsvContent, csvLine } from '#kit/server/csv.ts'
import { readBadLines } from '#features/stock/server/sim-load-lines.store.ts'
import type { DeskFile } from '#desk/features/staff/server/file-routes.ts'
import { presentBadLine } from './bad-lines.present.ts'
import type { DeskStockDeps } from './stock.deps.ts'

export const badLinesFile = (deps: DeskStockDeps, loadId: string): DeskFile => ({
  name: `bad-lines-${loadId}.csv`,
  type: 'text/csv',
  content: createCsvContent(csvLines(deps, loadId)),
})

async function* csvLines({ db, market }: DeskStockDeps, loadId: string): AsyncGenerator<string> {
  yield 'line,iccid,msisdn,what is wrong\r\n'
  for await (const rows of readBadLines(db, loadId))
    yield rows
      .map((badLine) => presentBadLine(badLine, market.phoneRegion))
      .map(({ line, iccid, number, why }) => csvLine([String(line), iccid?.text ?? '', number?.text ?? '', why]))
      .join('')
}
