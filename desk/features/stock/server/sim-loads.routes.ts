import { conflict, formError, notFound } from '#kit/server/http-error.ts'
import { lineFaults } from '#features/stock/server/sim-line.ts'
import { decideSimLoad as decide } from '#features/stock/server/decide-sim-load.ts'
import { SimFileError } from '#features/stock/server/sim-file.ts'
import { importSims } from '#features/stock/server/sim-import.ts'
import { countLinesByFault, listBadLines } from '#features/stock/server/sim-load-lines.store.ts'
import { findSimLoad, type SimLoad } from '#features/stock/server/sim-loads.store.ts'
import { deskFileRoute, deskUploadRoute } from '#desk/features/staff/server/file-routes.ts'
import { toStaffActor, type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import {
  decideSimLoad,
  downloadBadLines,
  simLoadMessages,
  maxSimLoadLines,
  readSimLoad,
  uploadSimLoad,
} from '../sim-loads.contract.ts'
import { presentBadLine, faultTitle } from './bad-lines.present.ts'
import { badLinesFile } from './bad-lines-file.ts'
import { presentSimLoad } from './sim-loads.present.ts'
import type { DeskStockDeps } from './stock.deps.ts'
import { countUnusedBySimLoad } from './stock.view.ts'

const supportOrAdmin = { who: ['support', 'admin'] } as const
const maxLinesShown = 100

export function simLoadRoutes(deps: DeskStockDeps): DeskRoute[] {
  const { db } = deps
  const requireSimLoad = async (id: string): Promise<SimLoad> => {
    const load = await findSimLoad(db, id)
    if (!load || load.state === 'broken_off') throw notFound()
    return load
  }
  return [
    deskUploadRoute(uploadSimLoad, supportOrAdmin, async ({ staff, query }, file) => {
      const name = query.name.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ').trim()
      const actor = toStaffActor(staff, name || null)
      return receiveUpload(deps, file, {
        actor,
        fileName: name,
        goodOnly: false,
        dryRun: false,
        requiresConfirmation: true,
        mostLines: maxSimLoadLines,
      })
    }),
    deskRoute(readSimLoad, supportOrAdmin, async ({ params, query }) => {
      const load = await requireSimLoad(params.id)
      const fault = lineFaults.find((each) => each === query.kind)
      const after = Number(query.after ?? 0)
      const bad = await listBadLines(db, load.id, { after, limit: maxLinesShown + 1, fault })
      const unusedBySimLoad = await countUnusedBySimLoad(db)
      return {
        load: presentSimLoad(load, unusedBySimLoad, deps.clock),
        kinds: (await countLinesByFault(db, load.id)).map((kind) => ({
          kind: kind.fault,
          title: faultTitle(kind.fault),
          lines: kind.lines,
        })),
        bad: bad.slice(0, maxLinesShown).map((line) => presentBadLine(line, deps.market.phoneRegion)),
        next: bad.length > maxLinesShown ? String(bad[maxLinesShown - 1]?.line) : null,
      }
    }),
    deskFileRoute(downloadBadLines, supportOrAdmin, async ({ params }) =>
      badLinesFile(deps, (await requireSimLoad(params.id)).id),
    ),
    deskRoute(decideSimLoad, supportOrAdmin, async ({ staff, params, body: { decision } }) => {
      const { id, file_name: name } = await requireSimLoad(params.id)
      const decisionOutcome = await decide(deps, id, decision, toStaffActor(staff, name))
      if (decisionOutcome !== 'done') throw conflict(simLoadMessages[decisionOutcome])
      return {}
    }),
  ]
}

async function receiveUpload(
  deps: DeskStockDeps,
  file: AsyncIterable<Uint8Array>,
  options: Parameters<typeof importSims>[2],
): Promise<{ id: string; known: boolean }> {
  try {
    for await (const event of await importSims(deps, file, options))
      if ('loadId' in event) return { id: event.loadId, known: event.isKnown }
  } catch (error) {
    if (error instanceof SimFileError) throw formError(error.message)
    throw error
  }
  throw new Error('a file was received without an end')
}
