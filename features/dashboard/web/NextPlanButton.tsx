import { lazy, Suspense, useState } from 'react'
import { buildTelLink } from '#kit/contract/links.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import type { Service } from '#features/services/services.contract.ts'

const CancelNextPlan = lazy(() => import('#features/next-plan/web/CancelNextPlan.tsx'))

type Props = { service: Service; onChange: () => void }

export default function NextPlanButton({ service: { uuid, plan_short_id: shortId, outlook }, onChange }: Props) {
  const { help } = useBootstrap().brand
  /** Whether the dialog is open. `null` means that it has never been opened, so its code has not been loaded yet. */
  const [isOpen, setOpen] = useState<boolean | null>(null)
  if (!outlook.can_cancel_next_plan)
    return (
      <p>
        To cancel it now, call <a href={buildTelLink(help.phone)}>{help.phone}</a>.
      </p>
    )
  return (
    <>
      <Button kind="quiet" wide onClick={() => setOpen(true)}>
        Cancel next plan
      </Button>
      <Button kind="plain" wide href={`/services/renew/${shortId}/?change`}>
        Change next plan
      </Button>
      {isOpen !== null && (
        <Suspense>
          <CancelNextPlan
            open={isOpen}
            uuid={uuid}
            onClose={() => setOpen(false)}
            onCancelled={() => {
              setOpen(false)
              onChange()
            }}
          />
        </Suspense>
      )}
    </>
  )
}
