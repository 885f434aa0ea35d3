import * as s from './FanProgress.module.css'

const segmentCount = 7
const step = 24

type Props = {
  /** Fraction of the fantail's feathers that are lit, from 0 to 1. If undefined, all feathers move in turn. */
  part?: number
}

export function FanProgress({ part }: Props) {
  const filledSegments = part === undefined ? segmentCount : Math.ceil(part * segmentCount)
  const isPartial = part !== undefined && part < 1
  return (
    <svg className={`${s.tail} ${part === undefined ? s.waiting : ''}`} viewBox="0 0 240 136" aria-hidden="true">
      {Array.from({ length: segmentCount }, (_, index) => (
        <g key={index} transform={`rotate(${(index - (segmentCount - 1) / 2) * step} 120 122)`}>
          <g
            className={`${index < filledSegments ? s.lit : ''} ${isPartial && index === filledSegments - 1 ? s.now : ''}`}
          >
            <path d="M120 112c-9-20-19-52-17-76 1-14 8-26 17-30 9 4 16 16 17 30 2 24-8 56-17 76Z" />
            <path className={s.rib} d="M120 96V26" />
          </g>
        </g>
      ))}
      <circle className={s.body} cx="120" cy="121" r="12" />
    </svg>
  )
}
