import type { Db } from '#kit/server/db.ts'
import { pageOf, readPlace } from '#kit/server/page.ts'
import { invalidForm, notFound } from '#kit/server/refusal.ts'
import { noteAccess } from '#desk/features/staff/server/access.store.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { listStaff } from '#desk/features/staff/server/staff.store.ts'
import type { TrailKind } from '../audit.contract.ts'
import { listTrail } from './audit.view.ts'

const aPage = 50

type Wish = { of: TrailKind | null; person: string | null; before: string | undefined }

/** A page of what staff did and looked at. That somebody asked is part of it. @throws 400 for no place of ours, 404 for nobody of ours */
export async function trailFor(db: Db, staff: SignedInStaff, { of, person, before }: Wish) {
  const place = before === undefined ? null : readPlace(before)
  if (before !== undefined && !place) throw invalidForm('There is no such place in the list.')
  const people = await listStaff(db)
  if (person !== null && !people.some(({ id }) => id === person)) throw notFound()
  await noteAccess(db, { staffId: staff.id, act: 'trail_seen', subject: person, detail: of })
  const rows = await listTrail(db, { of, person, before: place, limit: aPage + 1 })
  return { ...pageOf(rows, aPage), people }
}
