import { sql } from 'kysely'
import { buildCookieValue } from '#kit/server/session.ts'
import { admissionAttackKind, attackAdmissionControl } from '../kinds/admission.ts'
import { stage } from '../planted-weakness.ts'
import type { Weakness } from '../weakness.ts'

export const floodWeaknesses: Weakness[] = [
  {
    name: 'each failed login for an unknown address adds a row to the audit trail',
    foundBy: 'repeated for unknown addresses',
    attack: { call: 'POST /api/account/login/', kinds: ['growth'] },
    plant: () => ({
      async answer({ db, real }) {
        return real().catch(async (failure: unknown) => {
          await sql`insert into audit_events (at, event) values (now(), 'login_failed')`.execute(db)
          throw failure
        })
      },
    }),
  },
  {
    name: 'each start of the wizard adds another activation',
    foundBy: 'repeated by many sessions',
    attack: { call: 'POST /api/activate/sim/', kinds: ['growth'] },
    plant: () => ({
      async answer({ db, real }) {
        const originalResponse = await real()
        await sql`insert into activations
          (id, session_id, state, iccid, msisdn, setup_porting, started_at, lapses_at, ended_at, marketing_consent)
          select gen_random_uuid(), session_id, state, iccid, msisdn, setup_porting, started_at, lapses_at, now(), false
          from activations where ended_at is null order by started_at desc limit 1
          `.execute(db)
        return originalResponse
      },
    }),
  },
  {
    name: 'each start of the wizard without cookies adds a session',
    foundBy: 'repeated by many sessions',
    attack: { call: 'POST /api/activate/sim/', kinds: ['growth'] },
    plant: () => ({
      async answer({ db, real }) {
        const originalResponse = await real()
        await sql`insert into sessions (id, token_hash, created_at, last_seen_at, expires_at)
          select gen_random_uuid(), gen_random_uuid()::text, now(), now(), now() + interval '30 days'`.execute(db)
        return originalResponse
      },
    }),
  },
  {
    name: 'an oversized body is read to its end',
    foundBy: 'endless',
    attack: { call: 'POST /api/errors/', kinds: ['oversized'] },
    plant: () => ({ readsAll: true }),
  },
  {
    name: 'a browser that only starts an activation gets priority during overload',
    foundBy: admissionAttackKind,
    attack: (scene) => attackAdmissionControl(scene, '/api/activate/sim/'),
    plant: () => ({
      async answer({ raw, deps, real }) {
        const originalResponse = await real()
        stage.known?.note(buildCookieValue(deps.secrets, raw.visit.session), true)
        return originalResponse
      },
    }),
  },
]
