// A real OpenID provider as a process of its own: `node provider.mjs` listens at a free port of 127.0.0.1 with keys it has just
// made, says one line of JSON on standard output, and takes commands as lines on standard input:
//   rotate         other keys, and the former ones are gone; says its line again
//   redirect URI   the dashboard's client may be sent back to this URI too; says its line again
//   quit           ends (so does the end of standard input)
// What it tells of its private keys lets a test sign what no provider would: for tests only.

import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

import { Provider } from 'oidc-provider';

// Standard output belongs to the lines; what the library has to say goes where a person reads it.
console.log = console.info = console.warn = console.error;

const redirects = (process.env.AMBIT_REDIRECT_URIS ?? 'http://127.0.0.1/callback').split(',');
const cookieKeys = [randomBytes(32).toString('hex')];
let keys = makeKeys();
let answer = (request, response) => response.writeHead(503).end();
const server = createServer((request, response) => answer(request, response));
server.listen(0, '127.0.0.1', () => {
    renew();
    createInterface({ input: process.stdin })
        .on('line', command)
        .on('close', () => process.exit(0));
});

function command(line) {
    const [word, argument] = line.trim().split(/\s+/, 2);
    if (word === 'quit') process.exit(0);
    else if (word === 'rotate') keys = makeKeys();
    else if (word === 'redirect') redirects.push(argument);
    else return console.error(`unknown command: ${line}`);
    renew();
}

function makeKeys() {
    const made = (type, options, alg) => {
        const pair = generateKeyPairSync(type, options);
        const kid = `${alg.toLowerCase()}-${randomBytes(6).toString('hex')}`;
        return { ...pair, kid, jwk: { ...pair.privateKey.export({ format: 'jwk' }), kid, alg, use: 'sig' } };
    };
    return {
        rsa: made('rsa', { modulusLength: 2048 }, 'RS256'),
        ec: made('ec', { namedCurve: 'P-256' }, 'ES256'),
    };
}

// The library reads its configuration once, so what changes is a provider anew, at the same place.
function renew() {
    const issuer = `http://127.0.0.1:${server.address().port}`;
    const provider = new Provider(issuer, configuration());
    provider.on('server_error', (context, error) => console.error(error));
    answer = provider.callback();
    const { rsa, ec } = keys;
    const hex = (key, type) => key.export({ format: 'der', type }).toString('hex');
    const told = {
        issuer,
        kid: rsa.kid,
        private_jwk: rsa.jwk,
        private_der: hex(rsa.privateKey, 'pkcs1'),
        public_pem: rsa.publicKey.export({ format: 'pem', type: 'spki' }),
        ec_kid: ec.kid,
        ec_private_der: hex(ec.privateKey, 'pkcs8'),
    };
    process.stdout.write(`${JSON.stringify(told)}\n`);
}

function configuration() {
    return {
        jwks: { keys: [keys.rsa.jwk, keys.ec.jwk] },
        cookies: { keys: cookieKeys },
        clients: [
            {
                client_id: 'ambit-dashboard',
                token_endpoint_auth_method: 'none',
                redirect_uris: [...redirects],
                grant_types: ['authorization_code'],
                response_types: ['code'],
            },
            {
                client_id: 'svc-billing',
                client_secret: 'svc-billing-secret',
                token_endpoint_auth_method: 'client_secret_post',
                redirect_uris: [],
                grant_types: ['client_credentials'],
                response_types: [],
            },
        ],
        pkce: { required: () => true },
        // Claims are in the ID token, as most providers have them, and not only at the userinfo endpoint.
        conformIdTokenClaims: false,
        claims: { openid: ['sub', 'groups', 'org'], email: ['email', 'email_verified'] },
        findAccount: (context, id) => ({ accountId: id, claims: () => claimsOf(id) }),
        features: {
            // Its pages of signing in: whatever name is typed becomes the account.
            devInteractions: { enabled: true },
            clientCredentials: { enabled: true },
            resourceIndicators: {
                enabled: true,
                defaultResource: (context, client) => (client.clientId === 'svc-billing' ? 'urn:ambit' : undefined),
                getResourceServerInfo: () => ({
                    audience: 'ambit',
                    scope: '',
                    accessTokenFormat: 'jwt',
                    accessTokenTTL: 600,
                    jwt: { sign: { alg: 'RS256' } },
                }),
            },
        },
        formats: {
            customizers: {
                jwt: (context, token, jwt) => {
                    const { org, groups } = claimsOf(jwt.payload.sub);
                    Object.assign(jwt.payload, { nbf: jwt.payload.iat, org, groups });
                },
            },
        },
        ttl: { AccessToken: 600, ClientCredentials: 600, IdToken: 600, Interaction: 600, Session: 600, Grant: 600 },
    };
}

// `ada` is an analyst of acme with an address that was verified; `eve` has one that was not.
function claimsOf(id) {
    const named = { ada: ['analysts'], 'svc-billing': ['analysts'] };
    return {
        sub: id,
        email: `${id}@acme.example`,
        email_verified: id !== 'eve',
        groups: named[id] ?? [],
        org: id === 'otto' ? 'globex' : 'acme',
    };
}
