import { ApiError } from '#kit/contract/errors.ts'
import type { Activation } from '#features/activation/activation.contract.ts'
import type { Product } from '#features/plans/plans.contract.ts'

export const testProduct: Product = {
  unique_id: 'plan-90-25gb',
  sku: 'FT-P90-25GB',
  product_type: 1,
  title: '25 GB Prepay Plan',
  length: 90,
  price: '109.40',
  rrp: '129.00',
  price_rebill: null,
  colour: '#0b5f57',
  sort_order: 1,
  data: 25,
  data_gb: 25,
  voice_mins: 0,
  txt_sms: 0,
  roaming: false,
  new_customer_only: false,
  next_product_unique_id: null,
  renewal_length: 30,
  code: 'P90-25GB',
}

export const noActivationError = new ApiError(404, {})

export const activationView = (change: Partial<Activation> = {}): Activation => ({
  state: 'CREATED',
  activation_state: 'NOT_STARTED',
  product: null,
  next_product: null,
  is_new_customer: true,
  balance_due: '0.00',
  full_name: '',
  email: '',
  phone_number: '021 505 0103',
  setup_porting: false,
  porting_request: null,
  porting_providers: [
    { id: 'skinny', name: 'Skinny' },
    { id: 'spark', name: 'Spark' },
  ],
  method: null,
  using_voucher: false,
  voucher_refusal: null,
  plan_title: '',
  order_code: null,
  uuid: null,
  retry: false,
  ...change,
})
