import { type CardType, cardTypeNames } from '#kit/contract/card-types.ts'
import * as s from './card.module.css'

export function CardTypeIcon({ type }: { type: CardType | null }) {
  if (!type) return null
  return (
    <svg className={s.type} viewBox="0 0 38 24" role="img" aria-label={cardTypeNames[type]}>
      <rect x=".5" y=".5" width="37" height="23" rx="4" fill={type === 'amex' ? '#1f6fc9' : '#fff'} />
      {cardLogos[type]}
    </svg>
  )
}

const cardLogos = {
  visa: (
    <text
      x="19"
      y="16"
      fill="#1a1f71"
      fontSize="11"
      fontStyle="italic"
      fontWeight="700"
      textAnchor="middle"
      textLength="27"
      lengthAdjust="spacingAndGlyphs"
    >
      VISA
    </text>
  ),
  mc: (
    <>
      <circle cx="15" cy="12" r="6.5" fill="#eb001b" />
      <circle cx="23" cy="12" r="6.5" fill="#f79e1b" />
      <path fill="#ff5f00" d="M19 6.9a6.5 6.5 0 0 1 0 10.2 6.5 6.5 0 0 1 0-10.2Z" />
    </>
  ),
  amex: (
    <text
      x="19"
      y="15.5"
      fill="#fff"
      fontSize="9"
      fontWeight="700"
      textAnchor="middle"
      textLength="31"
      lengthAdjust="spacingAndGlyphs"
    >
      AMEX
    </text>
  ),
}
