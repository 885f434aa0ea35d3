import { conflict, invalidForm, notFound } from '#kit/server/refusal.ts'
import { lineFaults } from '#features/stock/server/sim-line.ts'
import { decideLoad as decide } from '#features/stock/server/sim-decision.ts'
import { SimFileFault } from '#features/stock/server/sim-file.ts'
import { receiveSims } from '#features/stock/server/sim-import.ts'
import { countFaults, listBadLines } from '#features/stock/server/sim-load-lines.store.ts'
import { findLoad, type SimLoad } from '#features/stock/server/sim-loads.store.ts'
import { deskFile, deskUpload } from '#desk/features/staff/server/file-routes.ts'
import { actorOf, type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import { decideLoad, downloadBadLines, loadMessages, mostLines, readLoad, sendLoad } from '../loads.contract.ts'
import { presentBadLine, titleOfFault } from './bad-lines.present.ts'
import { badLinesFile } from './bad-lines-file.ts'
import { presentLoad } from './loads.present.ts'
import type { DeskStockDeps } from './stock.deps.ts'
import { leftOfLoads } from './stock.view.ts'

const those = { who: ['support', 'admin'] } as const
const linesShown = 100

export function loadRoutes(deps: DeskStockDeps): DeskRoute[] {
  const { db } = deps
  const find = async (id: string): Promise<SimLoad> => {
    const load = await findLoad(db, id)
    if (!load || load.state === 'broken_off') throw notFound()
    return load
  }
  return [
    deskUpload(sendLoad, those, async ({ staff, query }, file) => {
      const name = query.name.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ').trim()
      const actor = actorOf(staff, name || null)
      return receive(deps, file, { actor, fileName: name, goodOnly: false, dryRun: false, asksFirst: true, mostLines })
    }),
    deskRoute(readLoad, those, async ({ params, query }) => {
      const load = await find(params.id)
      const fault = lineFaults.find((each) => each === query.kind)
      const after = Number(query.after ?? 0)
      const bad = await listBadLines(db, load.id, { after, limit: linesShown + 1, fault })
      const left = await leftOfLoads(db)
      return {
        load: presentLoad(load, left, deps.clock),
        kinds: (await countFaults(db, load.id)).map((kind) => ({
          kind: kind.fault,
          title: titleOfFault(kind.fault),
          lines: kind.lines,
        })),
        bad: bad.slice(0, linesShown).map((line) => presentBadLine(line, deps.market.phoneRegion)),
        next: bad.length > linesShown ? String(bad[linesShown - 1]?.line) : null,
      }
    }),
    deskFile(downloadBadLines, those, async ({ params }) => badLinesFile(deps, (await find(params.id)).id)),
    deskRoute(decideLoad, those, async ({ staff, params, body: { decision } }) => {
      const { id, file_name: name } = await find(params.id)
      const decided = await decide(deps, id, decision, actorOf(staff, name))
      if (decided !== 'done') throw conflict(loadMessages[decided])
      return {}
    }),
  ]
}

async function receive(
  deps: DeskStockDeps,
  file: AsyncIterable<Uint8Array>,
  wish: Parameters<typeof receiveSims>[2],
): Promise<{ id: string; known: boolean }> {
  try {
    for await (const news of await receiveSims(deps, file, wish))
      if ('loadId' in news) return { id: news.loadId, known: news.isKnown }
  } catch (error) {
    if (error instanceof SimFileFault) throw invalidForm(error.message)
    throw error
  }
  throw new Error('a file was received without an end')
}
