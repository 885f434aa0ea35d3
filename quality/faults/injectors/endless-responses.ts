import { allProviders, createProviderInjector } from './provider-faults.ts'

export const endlessResponses = createProviderInjector('endless-answers', allProviders, ['endless'])
