import { useEffect, useEffectEvent } from 'react'
import { nonEmpty, pipe, string } from 'valibot'
import type { CardForm } from '#kit/contract/card.contract.ts'
import { formatData } from '#kit/contract/plans.ts'
import { useApi } from '#kit/web/api.tsx'
import { emptyCard } from '#kit/web/card/encrypted-card.ts'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Columns } from '#kit/web/widgets/Layout.tsx'
import type { CardToken } from '#features/auth/auth.contract.ts'
import { CardChooser } from '#features/orders/web/CardChooser.tsx'
import { type PurchaseDetails, PurchaseSummary, PurchaseSummaryBar } from '#features/orders/web/PurchaseSummary.tsx'
import { PurchaseForm } from '#features/orders/web/PurchaseForm.tsx'
import { useCardChoice } from '#features/orders/web/use-card-choice.ts'
import { planMessages, type Product } from '#features/plans/plans.contract.ts'
import { choiceOf, type PlanChoice, plansOnOffer } from '#features/plans/web/plan-choice.ts'
import { PlanChooser } from '#features/plans/web/PlanChooser.tsx'
import { planFiltersQuery, productsQuery } from '#features/plans/web/plans.queries.ts'
import type { Service } from '#features/services/services.contract.ts'
import { Notice } from './Notice.tsx'
import { RenewActions } from './RenewActions.tsx'
import { defaultPlan, type Renewed } from './renewed.ts'
import { draftOf, useRenewal } from './use-renewal.ts'
import { byCard, withCard } from './renewal-words.ts'
import s from './renewal.module.css'

type Values = PlanChoice & CardForm

const rules = { plan: pipe(string(), nonEmpty(planMessages.required)) }

/** A plan is chosen and paid for with a card. */
export function CardRenewal({ plan, card }: { plan: Renewed; card: CardToken | null }) {
  const plans = useOffer()
  const choice = useCardChoice(card, rules)
  const usual = plans && defaultPlan(plans, plan.schedule)
  const none: PlanChoice = { plan: '', length: plan.schedule.product.length }
  const purchase = useRenewal<Values>(plan, {
    schema: choice.schema,
    initial: { ...(usual ? choiceOf(usual) : none), ...emptyCard },
    draftKey: draftOf(plan, 'card'),
    buys: (values) => values.plan,
    body: async (values) => ({ payment_method: '1', product: values.plan, ...(await choice.fieldsOf(values)) }),
  })
  const { form } = purchase
  const { hydrated, values } = form
  const chosen = plans?.find(({ unique_id, length }) => unique_id === values.plan && length === values.length)

  // Plans that came late, after a failure, are as good as those that came with the page.
  const fillIn = useEffectEvent(() => {
    if (usual && values.plan === '' && !form.isDirty('plan')) form.setMany(choiceOf(usual))
  })
  useEffect(() => {
    if (hydrated) fillIn()
  }, [hydrated, usual])

  const bought = chosen && boughtOf(plan.service, chosen)
  return (
    <PurchaseForm purchase={purchase} words={byCard}>
      <Notice service={plan.service} />
      <PlanChooser form={form} newCustomers={false} />
      <div className={s.payment}>
        <Columns aside={bought && <PurchaseSummary bought={bought} />} narrow="hidden">
          {bought && <PurchaseSummaryBar bought={bought} />}
          <Card>
            <h2 className={s.heading}>Payment</h2>
            <FormErrors form={form} />
            <CardChooser
              form={form}
              choice={choice}
              belowFields={
                <p className={s.kept}>
                  We’ll save this card for your next renewal or Add-On{card && ', in place of the one you have saved'}.
                </p>
              }
            />
            <RenewActions form={form} plan={plan} disabled={!chosen}>
              {choice.usesSaved && card ? withCard(card) : 'RENEW'}
            </RenewActions>
          </Card>
        </Columns>
      </div>
    </PurchaseForm>
  )
}

/** The plans to choose from: those for new customers are not among them. */
function useOffer(): Product[] | undefined {
  const api = useApi()
  const products = useQuery(productsQuery(api)).data
  const filters = useQuery(planFiltersQuery(api)).data
  return products && filters && plansOnOffer({ products, filters, newCustomers: false })
}

const boughtOf = ({ phone_number }: Service, { title, data_gb, length, price }: Product): PurchaseDetails => ({
  title,
  price,
  rows: [
    ['Phone number', phone_number],
    ['Prepay Plan', `${formatData(data_gb)} · ${length} days`],
  ],
})
