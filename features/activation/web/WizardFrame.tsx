import type { ReactNode } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Columns, PageTitle } from '#kit/web/widgets/Layout.tsx'
import { StepBar } from '#kit/web/widgets/StepBar.tsx'
import type { Elements } from '#kit/web/text-elements.tsx'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { useHistorySteps } from './wizard.ts'

/*
 * A signed-in customer has three steps, because their details are known. Other visitors have four steps, with or
 * without a number transfer. With a transfer, the step bar starts with “Number Transfer Details” (specification 2.3).
 * That title replaces the completed SIM pack step, so the number of steps never grows while the visitor proceeds.
 */
const stepTitles = {
  sim: 'SIM Pack Details',
  porting: 'Number Transfer Details',
  personal: 'Personal Details',
  plan: 'Prepay Plan Details',
  payment: 'Payment Details',
}

type Step = keyof typeof stepTitles

export type FrameProps = {
  step: Step
  porting: boolean
  title: string
  intro?: ReactNode
  aside?: ReactNode
  asideNarrow?: 'above' | 'below' | 'hidden'
  wide?: boolean
  children: Elements
}

export function WizardFrame({ step, porting, title, intro, aside, asideNarrow, wide = false, children }: FrameProps) {
  useHistorySteps()
  // The query is disabled, because the page's loader has already loaded the account.
  const signedIn = useQuery({ ...accountQuery(useApi()), enabled: false }).data?.authenticated
  const steps: Step[] = [porting ? 'porting' : 'sim', ...(signedIn ? [] : ['personal' as const]), 'plan', 'payment']
  return (
    <>
      <StepBar steps={steps.map((stepName) => stepTitles[stepName])} current={steps.indexOf(step)} />
      <PageTitle lead={intro}>{title}</PageTitle>
      {wide ? (
        children
      ) : (
        <Columns aside={aside} narrow={asideNarrow}>
          {children}
        </Columns>
      )}
    </>
  )
}
