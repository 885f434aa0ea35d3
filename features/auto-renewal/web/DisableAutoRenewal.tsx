import { formatDate } from '#kit/contract/dates.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { BusyButton } from '#kit/web/widgets/BusyButton.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Dialog } from '#kit/web/widgets/Dialog.tsx'
import { FailureBanner } from '#features/auth/web/FailureBanner.tsx'
import type { Schedule } from '#features/services/services.contract.ts'
import { useAutoRenewal } from './use-auto-renewal.ts'
import * as s from './auto-renewal.module.css'

type Props = { schedule: Schedule; expiryDate: string; onDisabled: () => void; onClose: () => void }

export default function DisableAutoRenewal({ open, ...props }: Props & { open: boolean }) {
  return (
    <Dialog title="Disable Auto Renewal?" open={open} onClose={props.onClose}>
      <DisableConfirmation {...props} />
    </Dialog>
  )
}

function DisableConfirmation({ schedule, expiryDate, onDisabled, onClose }: Props) {
  const { market } = useBootstrap()
  const next = schedule.next_plan
  const { mutate, isPending, isError, error } = useAutoRenewal('disable', schedule, onDisabled)
  return (
    <>
      <p>
        {next ? (
          <span key="next">
            Your next Prepay Plan is already paid for and still starts on {formatDate(next.starts_on, market.zone)}.
            After that, your plan won’t renew automatically.
          </span>
        ) : (
          <span key="none">
            Your Prepay Plan won’t renew automatically, so it expires on {formatDate(expiryDate, market.zone)}. Nothing
            changes until then, and you can enable Auto Renewal again.
          </span>
        )}
      </p>
      <div role="alert" className={s.failure}>
        {isError && <FailureBanner error={error} />}
      </div>
      <div className={s.choice}>
        <BusyButton busy={isPending} busyText="Disabling auto-renewal" onClick={() => void mutate()}>
          Disable Auto Renewal
        </BusyButton>
        <Button kind="quiet" onClick={onClose}>
          Keep auto-renewal
        </Button>
      </div>
    </>
  )
}
