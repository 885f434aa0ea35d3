import { allProviders, providerFaults } from './provider-faults.ts'

export const garbledResponses = providerFaults('garbled-answers', allProviders, ['garbled'])
