import type { Region } from '#kit/contract/phone.ts'
import { simSamples } from '#kit/contract/sim-samples.ts'
import * as s from './OldSimDrawing.module.css'

export function OldSimDrawing({ region }: { region: Region }) {
  return (
    <svg className={s.drawing} viewBox="0 0 280 176" aria-hidden="true">
      <path className={s.card} d="M16 6h198l60 52v98a14 14 0 0 1-14 14H20A14 14 0 0 1 6 156V16A10 10 0 0 1 16 6Z" />
      <rect className={s.chip} x="28" y="30" width="72" height="60" rx="10" />
      <path className={s.contact} d="M28 50h24M28 70h24M76 50h24M76 70h24M52 30v60M76 30v60" />
      <rect className={s.ring} x="20" y="108" width="240" height="46" rx="10" />
      <text className={s.number} x="32" y="138" textLength="216">
        {simSamples[region].iccid.replace(' ', '')}
      </text>
    </svg>
  )
}
