import { CardTypeIcon } from '#kit/web/card/CardTypeIcon.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import type { CardToken } from '#features/auth/auth.contract.ts'
import { UpcomingCharges } from './UpcomingCharges.tsx'
import * as s from './payment-method.module.css'

type OpenButton = { id: string; onClick: () => void }

export function SavedCard({
  card,
  update,
  remove,
}: {
  card: CardToken
  update: OpenButton
  remove: Omit<OpenButton, 'id'>
}) {
  return (
    <>
      {card.is_expired && (
        <Banner kind="warn" title="Your saved card has expired">
          Please update it before your next purchase.
        </Banner>
      )}
      <Card>
        <h2 className="visually-hidden">Your saved card</h2>
        <div className={s.face}>
          <div className={s.type}>
            <CardTypeIcon type={card.card_type} />
          </div>
          <dl className={s.details}>
            <div className={s.number}>
              <dt className="visually-hidden">Card number</dt>
              <dd>{card.masked_card_number}</dd>
            </div>
            <div className={s.name}>
              <dt>Name on card</dt>
              <dd>{card.card_holder_name || '–'}</dd>
            </div>
            <div className={card.is_expired ? s.expired : ''}>
              <dt>
                {card.is_expired ? (
                  <>
                    <Icon name="warn" />
                    <span>Expired</span>
                  </>
                ) : (
                  'Expiry'
                )}
              </dt>
              <dd>{/\d/.test(card.formatted_expiry_date) ? card.formatted_expiry_date : '–'}</dd>
            </div>
          </dl>
        </div>
        <UpcomingCharges />
        <div className={s.acts}>
          <Button {...update}>UPDATE CARD</Button>
          <Button kind="plain" {...remove}>
            Remove card
          </Button>
        </div>
      </Card>
    </>
  )
}

export function NoSavedCard({ add }: { add: OpenButton }) {
  return (
    <Card>
      <div className={s.none}>
        <svg className={s.outline} viewBox="0 0 96 60" aria-hidden="true">
          <rect x="1.5" y="1.5" width="93" height="57" rx="8" />
          <path d="M12 18h16v12H12zM12 44h34M64 44h20" />
        </svg>
        <div>
          <h2>You have no saved card</h2>
          <p>Save a card here, and you won’t have to enter it each time you renew or buy an Add-On.</p>
        </div>
        <Button {...add}>ADD CREDIT CARD</Button>
      </div>
    </Card>
  )
}
