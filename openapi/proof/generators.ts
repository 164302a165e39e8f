// The generators of the proof: what each needs, and how its client is made, compiled and run. Every command runs in a folder
// of its own, in which document-3.1.json, document-3.0.json and `clients` are.
export type Generator = {
  name: string;
  /** Programs that must be on the machine; their Debian packages are in README.md. */
  needs: string[];
  /** From npm, installed beside the clients. */
  packages: string[];
  generate: string;
  compile: string;
  run: string;
};

// The npm package downloads the generator from Maven; these are its last versions that contain it.
const openApiGenerator = (version: string, options: string) =>
  `java -jar ../node_modules/openapi-generator-${version}/bin/openapi-generator.jar generate -i document-3.0.json -o out --skip-validate-spec ${options}`;
const generator4 = 'openapi-generator-4@npm:@openapitools/openapi-generator-cli@1.0.18-4.3.1';
const generator5 = 'openapi-generator-5@npm:@openapitools/openapi-generator-cli@1.0.18-5.0.0-beta2';

const jars = (...names: string[]) => names.map((name) => `/usr/share/java/${name}.jar`).join(':');
const jackson = jars('jackson-core', 'jackson-annotations', 'jackson-databind', 'jsr305');
const okhttp = jars('okhttp', 'okio', 'gson');
const tsc =
  'npx tsc --module nodenext --moduleResolution nodenext --target es2022 --strict --skipLibCheck --types node --outDir dist';

export const generators: Generator[] = [
  {
    name: 'TypeScript: openapi-typescript',
    needs: ['node'],
    packages: ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3', '@types/node@20'],
    generate: 'npx openapi-typescript document-3.1.json -o foyer.d.ts && cp foyer.d.ts clients/foyer.ts',
    compile: `${tsc} clients/openapi-fetch.ts`,
    run: 'node dist/openapi-fetch.js',
  },
  {
    name: 'TypeScript: @hey-api/openapi-ts',
    needs: ['node'],
    packages: ['@hey-api/openapi-ts@0.99.0', 'typescript@5.9.3', '@types/node@20'],
    generate: 'npx openapi-ts -i document-3.1.json -o clients/client --silent',
    // It writes imports without endings, which bundlers resolve.
    compile:
      'npx esbuild clients/hey-api.ts --bundle --platform=node --format=esm --outfile=dist/hey-api.js --log-level=warning && npx tsc --noEmit --module esnext --moduleResolution bundler --target es2022 --strict --skipLibCheck --types node clients/hey-api.ts',
    run: 'node dist/hey-api.js',
  },
  {
    name: 'Java: OpenAPI Generator 5',
    needs: ['javac'],
    packages: [generator5],
    generate: openApiGenerator('5', '-g java --library native --additional-properties=dateLibrary=java8'),
    compile: `javac -nowarn -d dist -cp ${jackson} $(find out/src/main clients/stand-ins -name '*.java') clients/Client.java`,
    run: `java -cp dist:${jackson} Client`,
  },
  {
    name: 'Kotlin: OpenAPI Generator 5',
    needs: ['kotlinc'],
    packages: [generator5],
    generate: openApiGenerator(
      '5',
      '-g kotlin --library jvm-okhttp3 --type-mappings=AnyType=kotlin.Any --additional-properties=serializationLibrary=gson,packageName=foyer,enumPropertyNaming=UPPERCASE',
    ),
    compile: `kotlinc -nowarn -cp ${okhttp} -include-runtime -d client.jar $(find out/src/main -name '*.kt') clients/Client.kt`,
    run: `java -cp client.jar:${okhttp} ClientKt`,
  },
  {
    name: 'Go: OpenAPI Generator 4',
    needs: ['go'],
    packages: [generator4],
    generate: openApiGenerator('4', '-g go-experimental --additional-properties=packageName=foyer'),
    compile:
      'mkdir -p go/src/client && cp -r out go/src/foyer && rm -rf go/src/foyer/go.mod go/src/foyer/go.sum go/src/foyer/test && cp clients/client.go go/src/client/ && GO111MODULE=off GOPATH=$PWD/go:/usr/share/gocode go build -o dist/client client',
    run: 'dist/client',
  },
  {
    name: 'C#: NSwag 14',
    needs: ['mono', 'mcs'],
    packages: ['nswag@14'],
    generate:
      'mono ../node_modules/nswag/bin/binaries/Win/NSwag.exe openapi2csclient /input:document-3.0.json /classname:FoyerClient /namespace:Foyer /output:out/Foyer.cs',
    compile:
      'mkdir -p dist && cp ../node_modules/nswag/bin/binaries/Win/Newtonsoft.Json.dll dist/ && mcs -warn:0 -out:dist/client.exe -lib:dist -r:Newtonsoft.Json.dll -r:System.Net.Http.dll -r:System.ComponentModel.DataAnnotations.dll -r:System.Runtime.Serialization.dll out/Foyer.cs clients/Client.cs',
    run: 'mono dist/client.exe',
  },
  {
    name: 'Python: OpenAPI Generator 5',
    needs: ['/usr/bin/python3'],
    packages: [generator5],
    generate: openApiGenerator('5', '-g python --additional-properties=packageName=foyer_client'),
    compile: '/usr/bin/python3 -m compileall -q out/foyer_client',
    run: 'PYTHONPATH=out /usr/bin/python3 clients/client.py',
  },
];
