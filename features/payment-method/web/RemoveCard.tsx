import { formatCardName } from '#kit/contract/card-types.ts'
import { useApi } from '#kit/web/api.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { useQuery, useQueryClient } from '#kit/web/query/use-query.tsx'
import { BusyButton } from '#kit/web/widgets/BusyButton.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Dialog } from '#kit/web/widgets/Dialog.tsx'
import type { CardToken } from '#features/auth/auth.contract.ts'
import { FailureBanner } from '#features/auth/web/FailureBanner.tsx'
import { reloadServices, servicesQuery } from '#features/services/web/services.queries.ts'
import { joinPhoneNumbers, removePaymentMethod } from '../payment-method.contract.ts'
import { setCachedCard } from './set-cached-card.ts'
import * as s from './payment-method.module.css'

type Props = { card: CardToken; onRemoved: () => void; onClose: () => void }

export default function RemoveCard({ open, ...props }: Props & { open: boolean }) {
  const { card_type: type, masked_card_number: number } = props.card
  return (
    <Dialog title={`Remove ${formatCardName(type, number.slice(-4))}?`} open={open} onClose={props.onClose}>
      <RemoveConfirmation {...props} />
    </Dialog>
  )
}

function RemoveConfirmation({ onRemoved, onClose }: Props) {
  const api = useApi()
  const client = useQueryClient()
  const renewingNumbers = useRenewingNumbers()
  const { mutate, isPending, isError, error } = useMutation({
    mutationFn: () => api.call(removePaymentMethod, {}),
    onSuccess() {
      setCachedCard(client, null)
      // Removing the card changes the plan status of services with auto-renewal, so reload them.
      void reloadServices(api, client)
      onRemoved()
    },
  })
  return (
    <>
      <p>
        {renewingNumbers.length > 0
          ? `Auto-renewal is on for ${joinPhoneNumbers(renewingNumbers)}, but will have no card to charge. ` +
            'Add a card before your Prepay Plan ends, or it won’t renew.'
          : 'You can add a card again at any time.'}
      </p>
      <div role="alert" className={s.failure}>
        {isError && <FailureBanner error={error} />}
      </div>
      <div className={s.choice}>
        <BusyButton busy={isPending} busyText="Removing card" onClick={() => void mutate()}>
          Remove card
        </BusyButton>
        <Button kind="quiet" onClick={onClose}>
          Keep card
        </Button>
      </div>
    </>
  )
}

function useRenewingNumbers(): string[] {
  const services = useQuery(servicesQuery(useApi())).data ?? {}
  return Object.values(services)
    .filter(({ schedules }) => Object.values(schedules).some(({ auto_recharge_enabled: isOn }) => isOn))
    .map(({ phone_number: number }) => number)
}
