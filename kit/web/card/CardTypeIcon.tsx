import type { CardType } from '#kit/contract/card-number.ts'
import s from './card.module.css'

export const cardTypeNames: Record<CardType, string> = { visa: 'Visa', mc: 'Mastercard', amex: 'American Express' }

/** The mark of a card's type in its own colours; nothing while the type is unknown. */
export function CardTypeIcon({ type }: { type: CardType | null }) {
  if (!type) return null
  return (
    <svg className={s.type} viewBox="0 0 38 24" role="img" aria-label={cardTypeNames[type]}>
      <rect x=".5" y=".5" width="37" height="23" rx="4" fill={type === 'amex' ? '#1f6fc9' : '#fff'} />
      {marks[type]}
    </svg>
  )
}

const marks = {
  visa: (
    <path
      fill="#1a1f71"
      d="M15.4 8.2 12.7 15.9h-2L9.3 9.9c-.1-.4-.2-.5-.5-.7-.5-.3-1.3-.5-2-.7l.1-.3h3.2c.4 0 .8.3.9.7l.8 4.1 2-4.8h1.6Zm7 5.2c0-2-2.9-2.1-2.9-3 0-.3.3-.6.9-.6.5-.1 1.2 0 1.9.4l.4-1.6c-.5-.2-1.1-.4-1.9-.4-1.9 0-3.2 1-3.2 2.4 0 1 .9 1.6 1.7 2 .8.3 1 .6 1 .9 0 .5-.6.7-1.2.7-1 0-1.6-.3-2-.5l-.4 1.7c.5.2 1.3.4 2.2.4 2.1.1 3.5-.9 3.5-2.4Zm5.1 2.5h1.7l-1.5-7.7h-1.6c-.4 0-.7.2-.8.5l-2.8 7.2h2l.4-1.1h2.4l.2 1.1Zm-2.1-2.6 1-2.7.6 2.7h-1.6ZM18 8.2l-1.5 7.7h-1.9l1.6-7.7H18Z"
    />
  ),
  mc: (
    <>
      <circle cx="15" cy="12" r="6.5" fill="#eb001b" />
      <circle cx="23" cy="12" r="6.5" fill="#f79e1b" />
      <path fill="#ff5f00" d="M19 6.9a6.5 6.5 0 0 1 0 10.2 6.5 6.5 0 0 1 0-10.2Z" />
    </>
  ),
  amex: (
    <text x="19" y="15.5" fill="#fff" fontSize="9" fontWeight="800" textAnchor="middle" textLength="31" lengthAdjust="spacingAndGlyphs">
      AMEX
    </text>
  ),
}
